'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { makePasskey } from './passkey-prompt'
import { useStepUp } from './use-step-up'

interface Addition {
  readonly name: string
  /** A recovery code that replaces the confirmation. */
  readonly code?: string
}

/** Adds a passkey: the person confirms it and creates it with their device, and the server stores it. */
export function useAddPasskey() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stepUp = useStepUp()
  const { mutateAsync: start } = useMutation(trpc.security.startRegistration.mutationOptions())
  const { mutateAsync: register } = useMutation(trpc.security.register.mutationOptions())
  const { mutateAsync: recover } = useMutation(trpc.security.startRecovery.mutationOptions())
  const startConfirmed = async () => start({ proof: await stepUp.prove({ purpose: 'passkey.add', subject: {} }) })
  const addition = useMutation({
    mutationFn: async ({ name, code }: Addition) => {
      const { challenge_id, options } = code === undefined ? await startConfirmed() : await recover({ code })
      const { id, rawId, response } = await makePasskey(options)
      const { clientDataJSON, attestationObject, transports } = response
      const made = { clientDataJSON, attestationObject, transports }
      await register({
        challenge_id,
        name,
        code,
        response: { id, rawId, type: 'public-key', response: made, clientExtensionResults: {} },
      })
      return name
    },
    onSettled: () => queries.invalidateQueries(),
  })
  return { addition, stepUpFailure: stepUp.failure }
}
