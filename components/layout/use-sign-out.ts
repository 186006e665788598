import { useMutation } from '@tanstack/react-query'
import { signOut, useTRPC } from '@/components/api/client'
import { CallError } from '@/components/lib/request-error'

const SIGN_IN_PATH = '/sign-in'

/** Loads the sign-in page as a new document, so that no data of the person stays in memory. */
const leave = () => window.location.assign(SIGN_IN_PATH)

export function useSignOut() {
  const trpc = useTRPC()
  const here = useMutation({
    mutationFn: async () => {
      const outcome = await signOut()
      if (!outcome.ok) throw new CallError(outcome.code)
    },
    onSuccess: leave,
  })
  const everywhere = useMutation(
    trpc.session.signOutEverywhere.mutationOptions({
      // The server has ended the sessions, so the page is left whether or not this one's cookie can be removed too.
      onSuccess: () => signOut().then(leave),
    }),
  )
  return {
    signOut: () => here.mutate(),
    signOutEverywhere: () => everywhere.mutate(),
    failure: here.error ?? everywhere.error,
  }
}
