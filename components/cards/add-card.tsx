'use client'

import { useMutation } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { openStripe, stripeAppearance } from '@/components/lib/stripe'
import { useStripeDocument } from '@/components/lib/use-stripe-document'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { StepUpError, useStepUp } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { RequestFailure } from '@/components/ui/request-failure'
import { CardForm, type StripeForm } from './card-form'
import { CardNotAdded, newsOf, type Refusal } from './card-news'
import { cardsTexts } from './messages'
import { ReturnedCard } from './returned-card'

interface AddCardProps {
  readonly onNews: (news: string) => void
  /** The enrolment with which a bank's page returned; null when there is none. */
  readonly returned: string | null
}

/** Adds a card with Stripe's own form, which runs in Stripe's frames. */
export function AddCard({ onNews, returned }: AddCardProps) {
  const text = useText(cardsTexts).add
  const ready = useStripeDocument(true)
  const { open, form, cancel, stepUpFailure } = useForm()
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && form === null) button.current?.focus()
    wasOpen.current = form !== null
  }, [form])
  const finish = (status: string) => {
    const news = newsOf(status, text)
    cancel()
    setRefusal(news.refusal)
    onNews(news.text ?? '')
  }
  const start = () => {
    setRefusal(null)
    onNews('')
    open.mutate()
  }
  const problem = open.data === 'unavailable' ? { text: text.unavailable } : refusal
  return (
    <Section id="add-card" title={text.title} description={text.safe}>
      {returned === null ? null : <ReturnedCard intentId={returned} onStatus={finish} />}
      {problem === null ? null : <CardNotAdded refusal={problem} />}
      <StepUpFailure failure={stepUpFailure} onRetry={start} />
      {open.error === null || open.error instanceof StepUpError ? null : <RequestFailure error={open.error} />}
      {form === null ? (
        <Button ref={button} className="w-fit" disabled={!ready} busy={open.isPending} onClick={start}>
          <Plus aria-hidden />
          {text.open}
        </Button>
      ) : (
        <CardForm form={form} onStatus={finish} onCancel={cancel} />
      )}
    </Section>
  )
}

/** Starts an enrolment and opens Stripe's form for it, once the person presses the button. */
function useForm() {
  const trpc = useTRPC()
  const stepUp = useStepUp()
  const begin = useMutation(trpc.cards.beginEnrolment.mutationOptions())
  const open = useMutation({
    mutationFn: async (): Promise<StripeForm | 'unavailable'> => {
      const proof = await stepUp.prove({ purpose: 'card.add', subject: {} })
      const { client_secret: clientSecret, publishable_key: key } = await begin.mutateAsync({ proof })
      const stripe = key === null ? null : await openStripe(key)
      if (stripe === null) return 'unavailable'
      return { stripe, elements: stripe.elements({ clientSecret, appearance: stripeAppearance() }) }
    },
  })
  const form = open.data === undefined || open.data === 'unavailable' ? null : open.data
  return { open, form, cancel: open.reset, stepUpFailure: stepUp.failure }
}
