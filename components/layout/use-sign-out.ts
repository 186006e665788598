import { useMutation } from '@tanstack/react-query'
import { signOut, useTRPC } from '@/components/api/client'
import { CallError } from '@/components/lib/request-error'

const SIGN_IN_PATH = '/sign-in'

/** Leaves by loading the sign-in page again, so that nothing of the person stays in memory. */
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
      // The sessions are over, whether or not the cookie of this one can be dropped, too.
      onSuccess: () => signOut().then(leave),
    }),
  )
  return {
    signOut: () => here.mutate(),
    signOutEverywhere: () => everywhere.mutate(),
    failure: here.error ?? everywhere.error,
  }
}
