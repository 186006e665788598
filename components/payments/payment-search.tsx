'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { Field, Input } from '@/components/ui/field'
import { type PaymentFilter, queryOf, WORDS_MAX_CHARS } from './filter'
import { paymentsTexts } from './messages'

/** No search starts while the person is still typing. */
const PAUSE_MS = 300

/** One search over shops, items and amounts. What was typed becomes part of the address by itself. */
export function PaymentSearch({ filter }: { readonly filter: PaymentFilter }) {
  const { search: text } = useText(paymentsTexts)
  const router = useRouter()
  const [typed, setTyped] = useState(filter.q)
  const [asked, setAsked] = useState(filter.q)
  const [shown, setShown] = useState(filter.q)
  // The address changed by itself, as when the words are removed below.
  if (filter.q !== shown) {
    setShown(filter.q)
    if (filter.q !== asked) {
      setAsked(filter.q)
      setTyped(filter.q)
    }
  }
  useEffect(() => {
    if (typed.trim() === asked.trim()) return
    const timer = setTimeout(() => {
      setAsked(typed.trim())
      router.replace(`/payments${queryOf({ ...filter, q: typed.trim() })}`, { scroll: false })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, asked, filter, router])
  return (
    <search>
      <Field label={text.label} hint={text.hint}>
        <Input
          type="search"
          autoComplete="off"
          maxLength={WORDS_MAX_CHARS}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
    </search>
  )
}
