'use client'

import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { CredentialOfferView } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmed } from '@/components/security/use-confirmed'
import { Button } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { credentialsTexts } from './messages'

const loadOffer = () => import('./open-offer').then(({ OpenOffer: view }) => ({ default: view }))
const OpenOffer = lazy(loadOffer)

/** Creates an offer once the person has confirmed, and shows it until a wallet app has taken it. */
export function AddCredential() {
  const text = useText(credentialsTexts).add
  const trpc = useTRPC()
  const [offer, setOffer] = useState<CredentialOfferView | null>(null)
  // An offer is shown only once, so the component that shows it must be loaded before.
  const { mutateAsync: send } = useMutation(trpc.credentials.offer.mutationOptions({ onMutate: loadOffer }))
  const { run, busy, failure } = useConfirmed({
    action: { purpose: 'credential.offer', subject: { credential_configuration_id: 'service_mandate' } },
    send: (proof) => send({ proof }),
    onSuccess: setOffer,
  })
  return (
    <Section id="add" title={text.title} description={text.description}>
      <Card data-focus-scope className="grid gap-4">
        {offer === null ? (
          <>
            <p className="max-w-prose">{text.confirm}</p>
            <StepUpFailure failure={failure} onRetry={run} />
            <Button data-focus-next className="w-full sm:w-fit" busy={busy} onClick={run}>
              {text.button}
            </Button>
          </>
        ) : (
          <Suspense fallback={null}>
            <OpenOffer offer={offer} onDone={() => setOffer(null)} />
          </Suspense>
        )}
      </Card>
    </Section>
  )
}
