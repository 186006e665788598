import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** False on the server and for the first render in the browser, so that both agree; true ever after. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
