import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { isDay } from '@/server/base/core/calendar-day'
import { type PaymentFilter, queryOf } from './filter'

/** Nothing is looked for while the person is still typing. */
const PAUSE_MS = 300

/** The address of a filter, without blanks around its words; null while one of its days is not typed to its end. */
function addressOf({ q, ...rest }: PaymentFilter): string | null {
  const isTyped = [rest.from, rest.to].every((day) => day === '' || isDay(day))
  return isTyped ? `/payments${queryOf({ ...rest, q: q.trim() })}` : null
}

/**
 * The filter as the person sets it, ahead of the address, which follows by itself: at once for what is chosen, and after a
 * pause for what is typed. When the address changes otherwise, as by the back button, the filter follows it.
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
        // Each letter is no place to go back to.
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
