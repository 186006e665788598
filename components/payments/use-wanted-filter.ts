import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { isDay } from '@/server/base/core/calendar-day'
import { type PaymentFilter, queryOf } from './filter'

/** How long typing must pause before the list is filtered. */
const PAUSE_MS = 300

/** Returns the address of a filter, with its words trimmed; null while one of its days is incomplete. */
function addressOf({ q, ...rest }: PaymentFilter): string | null {
  const isTyped = [rest.from, rest.to].every((day) => day === '' || isDay(day))
  return isTyped ? `/payments${queryOf({ ...rest, q: q.trim() })}` : null
}

/**
 * Returns the filter as the person sets it, ahead of the address, which follows: at once for a selection, and after a
 * pause for typed text. When the address changes elsewhere, for instance by the back button, the filter follows it.
 */
export function useWantedFilter(filter: PaymentFilter) {
  const router = useRouter()
  const address = addressOf(filter)
  const [wanted, setWanted] = useState(filter)
  const [typing, setTyping] = useState(false)
  const [shown, setShown] = useState(address)
  const [asked, setAsked] = useState(address)
  if (address !== shown) {
    setShown(address)
    if (address !== asked) {
      setAsked(address)
      setWanted(filter)
    }
  }
  const next = addressOf(wanted)
  useEffect(() => {
    if (next === null || next === asked) return
    const timer = setTimeout(
      () => {
        setAsked(next)
        // A letter adds no entry to the history.
        if (typing) router.replace(next, { scroll: false })
        else router.push(next, { scroll: false })
      },
      typing ? PAUSE_MS : 0,
    )
    return () => clearTimeout(timer)
  }, [next, asked, typing, router])
  const set = (member: keyof PaymentFilter, value: string) => {
    setTyping(member === 'q' || member === 'from' || member === 'to')
    setWanted({ ...wanted, [member]: value })
  }
  return { wanted, set }
}
