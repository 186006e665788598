import type { RefusalData } from '../../server/transport/trpc/refusal'

/** With why the session has ended, or null where its person only signs in once more. */
type Leave = (refusal: RefusalData | null) => void

let leave: Leave | undefined
let isPressed = false

/** Sets how a signed-in page goes to the sign-in page. Returns what unsets it. */
export function setWayOut(way: Leave): () => void {
  leave = way
  isPressed = false
  return () => {
    leave = undefined
  }
}

/** A press was refused because the session has ended. The page then stays until its person has read that. */
export function noteRefusedPress(): void {
  isPressed = leave !== undefined
}

/** Goes to the sign-in page, unless the page shows a notice that leads there. */
export function leaveByItself(refusal: RefusalData): void {
  if (!isPressed) leave?.(refusal)
}

/** Has the person sign in once more and come back to the page as it stands. */
export function signInAgain(): void {
  leave?.(null)
}

/** What leads to the sign-in page, on a page that somebody is signed in on. */
export const wayOut = (refusal: RefusalData): (() => void) | null => {
  const way = leave
  return way === undefined ? null : () => way(refusal)
}
