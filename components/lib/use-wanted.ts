import { useState } from 'react'

/** Returns true from the first opening on, so that a lazy component can animate its close. */
export function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted || open
}
