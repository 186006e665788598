import type { RefusalData } from '../../server/transport/trpc/refusal'

/** Goes to the sign-in page; takes why the session ended, or null where the person only signs in again. */
type Leave = (refusal: RefusalData | null) => void

let leave: Leave | undefined
let isPressed = false

/** Sets how a signed-in page goes to the sign-in page. Returns a function that unsets it. */
export function setWayOut(way: Leave): () => void {
  leave = way
  isPressed = false
  return () => {
    leave = undefined
  }
}

/** Notes that a press was refused because the session has ended. The page then stays until the person has read that. */
export function noteRefusedPress(): void {
  isPressed = leave !== undefined
}

/** Goes to the sign-in page, unless the page shows a notice that links to it. */
export function leaveByItself(refusal: RefusalData): void {
  if (!isPressed) leave?.(refusal)
}

/** Lets the person sign in again and return to the page as it is. */
export function signInAgain(): void {
  leave?.(null)
}

/** Returns a function that goes to the sign-in page; null on a page without a signed-in person. */
export const wayOut = (refusal: RefusalData): (() => void) | null => {
  const way = leave
  return way === undefined ? null : () => way(refusal)
}
