import { useMutation } from '@tanstack/react-query'
import { signOut, useTRPC } from '@/components/api/client'

const SIGN_IN_PATH = '/sign-in'

/** Leaves by loading the sign-in page again, so that nothing of the person stays in memory. */
const leave = () => window.location.assign(SIGN_IN_PATH)

export function useSignOut() {
  const trpc = useTRPC()
  const here = useMutation({ mutationFn: signOut, onSettled: leave })
  const everywhere = useMutation(
    trpc.session.signOutEverywhere.mutationOptions({
      // The other sessions are over; this also drops the cookie of this one.
      onSuccess: () => here.mutate(),
    }),
  )
  return { signOut: () => here.mutate(), signOutEverywhere: () => everywhere.mutate(), failure: everywhere.error }
}
