'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { makePasskey } from './passkey-prompt'
import { useStepUp } from './use-step-up'

/** Adds a passkey: the person confirms it, makes it with their device, and the server keeps it. */
export function useAddPasskey() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: start } = useMutation(trpc.security.startRegistration.mutationOptions())
  const { mutateAsync: register } = useMutation(trpc.security.register.mutationOptions())
  const addition = useMutation({
    mutationFn: async (name: string) => {
      const proof = await stepUp.prove({ purpose: 'passkey.add', subject: {} })
      const { challenge_id, options } = await start({ proof })
      const { id, rawId, response } = await makePasskey(options)
      const { clientDataJSON, attestationObject, transports } = response
      const made = { clientDataJSON, attestationObject, transports }
      await register({
        challenge_id,
        name,
        response: { id, rawId, type: 'public-key', response: made, clientExtensionResults: {} },
      })
      return name
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return { addition, stepUpFailure: stepUp.failure }
}
