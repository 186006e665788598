'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { UserCheck } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { CopyRow } from '@/components/developers/copy-row'
import { useText } from '@/components/i18n/locale-provider'
import type { AgeView as Age } from '@/components/lib/api-types'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useStepUp } from '@/components/security/use-step-up'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { PageHeader } from '@/components/ui/page-header'
import { ageTexts } from './messages'
import { ProofRow } from './proof-row'

const loadRequest = () => import('./age-request').then(({ AgeRequest: view }) => ({ default: view }))
const AgeRequest = lazy(loadRequest)

const SANDBOX_COMMAND = 'npm run wallet -- pid'

interface AgeViewProps {
  readonly initial: Age
  /** The age to prove. */
  readonly age: number
  /** Whether a purchase that needs this age led to the page. */
  readonly isAsked: boolean
  readonly isSandbox: boolean
}

/** Shows the ages that the person has proven, and lets them prove one. */
export function AgeView({ initial, age, isAsked, isSandbox }: AgeViewProps) {
  const text = useText(ageTexts)
  const trpc = useTRPC()
  const [news, setNews] = useState('')
  const { data } = useQuery({ ...trpc.age.read.queryOptions(), initialData: initial })
  const stepUp = useStepUp()
  const start = useMutation(trpc.age.prove.mutationOptions({ onMutate: loadRequest }))
  const prove = () => {
    setNews('')
    stepUp.prove({ purpose: 'age.prove', subject: { age } }).then(
      (proof) => start.mutate({ age, proof }),
      () => undefined,
    )
  }
  const isProven = data.proofs.some((proof) => proof.status === 'valid' && proof.age >= age)
  return (
    <div data-focus-scope className="contents">
      {start.data !== undefined ? (
        <Suspense fallback={null}>
          <AgeRequest request={start.data} isSandbox={isSandbox} onDone={start.reset} />
        </Suspense>
      ) : (
        <>
          <PageHeader title={text.title} description={text.description} />
          {isAsked ? (
            <Notice tone={isProven ? 'success' : 'info'} title={text.asked.title(age)}>
              {isProven ? text.asked.done : text.asked.body}
            </Notice>
          ) : null}
          <p role="status" className="font-medium text-success empty:hidden">
            {news}
          </p>
          <Proofs proofs={data.proofs} onNews={setNews} />
          {data.offered ? (
            <div className="grid gap-4">
              <p className="max-w-prose text-sm text-muted">{text.learns}</p>
              <StepUpFailure
                failure={stepUp.failure ?? (start.error === null ? null : { error: start.error })}
                onRetry={prove}
              />
              <Button
                data-focus-next
                className="w-full sm:w-fit"
                variant={isProven ? 'secondary' : 'primary'}
                busy={stepUp.busy || start.isPending}
                onClick={prove}
              >
                {isProven ? text.again(age) : text.prove(age)}
              </Button>
            </div>
          ) : (
            <NotOffered isSandbox={isSandbox} />
          )}
        </>
      )}
    </div>
  )
}

interface ProofsProps {
  readonly proofs: Age['proofs']
  readonly onNews: (news: string) => void
}

function Proofs({ proofs, onNews }: ProofsProps) {
  const text = useText(ageTexts)
  if (proofs.length === 0) {
    return (
      <EmptyState icon={UserCheck} title={text.none.title}>
        {text.none.body}
      </EmptyState>
    )
  }
  return (
    <Section id="proofs" title={text.proofs}>
      <ul aria-labelledby="proofs" className="grid gap-4">
        {proofs.map((proof) => (
          <ProofRow key={proof.age} proof={proof} onNews={onNews} />
        ))}
      </ul>
    </Section>
  )
}

function NotOffered({ isSandbox }: { readonly isSandbox: boolean }) {
  const text = useText(ageTexts).notOffered
  return (
    <Notice tone="info" title={text.title}>
      <p>{text.body}</p>
      {isSandbox ? (
        <>
          <p className="mt-2">{text.sandbox}</p>
          <CopyRow value={SANDBOX_COMMAND} what={text.command} />
        </>
      ) : null}
    </Notice>
  )
}
