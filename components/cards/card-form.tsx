'use client'

import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { stripeAppearance } from '@/components/lib/stripe'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { Spinner } from '@/components/ui/spinner'
import { CardNotAdded } from './card-news'
import { cardsTexts } from './messages'

export interface StripeForm {
  readonly stripe: Stripe
  readonly elements: StripeElements
}

interface CardFormProps {
  readonly form: StripeForm
  readonly onStatus: (status: string) => void
  readonly onCancel: () => void
}

export function CardForm({ form, onStatus, onCancel }: CardFormProps) {
  const text = useText(cardsTexts).add
  const { box, ready, failure } = usePaymentElement(form.elements, text.unavailable)
  const heading = useRef<HTMLHeadingElement>(null)
  const save = useSave(form, onStatus)
  useEffect(() => heading.current?.focus(), [])
  const refusal = failure ?? save.data ?? null
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (ready && !save.isPending) save.mutate()
  }
  return (
    <Card>
      <form onSubmit={submit} noValidate aria-labelledby="card-form" className="grid gap-5">
        <h3 id="card-form" ref={heading} tabIndex={-1} className="font-semibold outline-none">
          {text.form}
        </h3>
        {ready || failure !== null ? null : (
          <p role="status" className="flex items-center gap-2 text-muted [&_svg]:size-4">
            <Spinner />
            {text.loading}
          </p>
        )}
        <div ref={box} />
        {refusal === null ? null : <CardNotAdded refusal={{ text: refusal }} />}
        {save.error === null ? null : <RequestFailure error={save.error} />}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={!ready} busy={save.isPending}>
            {text.save}
          </Button>
          <Button variant="secondary" disabled={save.isPending} onClick={onCancel}>
            {text.cancel}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Mounts Stripe's frames in `box`, in the colours of the theme, and follows changes of the theme. */
function usePaymentElement(elements: StripeElements, unavailable: string) {
  const box = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (box.current === null) return
    // A wallet's button would ask for a payment, and nothing is paid here.
    const element = elements.create('payment', { wallets: { applePay: 'never', googlePay: 'never' } })
    element.on('ready', () => setReady(true))
    element.on('loaderror', ({ error }) => setFailure(error.message ?? unavailable))
    element.mount(box.current)
    return () => element.destroy()
  }, [elements, unavailable])
  useEffect(() => {
    const paint = () => void elements.update({ appearance: stripeAppearance() })
    const chosen = new MutationObserver(paint)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = window.matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', paint)
    return () => {
      chosen.disconnect()
      system.removeEventListener('change', paint)
    }
  }, [elements])
  return { box, ready, failure }
}

/**
 * Returns the mutation that confirms the card with Stripe and the bank, then has the service read the result. It
 * resolves with Stripe's refusal in words; null when there is none.
 */
function useSave({ stripe, elements }: StripeForm, onStatus: (status: string) => void) {
  const text = useText(cardsTexts).add
  const trpc = useTRPC()
  const queries = useQueryClient()
  const finish = useMutation(trpc.cards.finishEnrolment.mutationOptions())
  return useMutation({
    mutationFn: async (): Promise<string | null> => {
      const { error, setupIntent } = await stripe.confirmSetup({
        elements,
        redirect: 'if_required',
        // Stripe adds the intent's id and status to the address.
        confirmParams: { return_url: `${window.location.origin}/cards` },
      })
      if (error !== undefined) return error.message ?? text.notAdded
      const { status } = await finish.mutateAsync({ setup_intent_id: setupIntent.id })
      onStatus(status)
      return null
    },
    onSettled: () => queries.invalidateQueries(),
  })
}
