import { useState } from 'react'

/** Whether something is open or ever was: what is loaded to be shown stays, so that it can also close in its own way. */
export function useWanted(open: boolean): boolean {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return wanted || open
}
