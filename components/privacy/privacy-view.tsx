'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { PrivacyView as Privacy } from '@/components/lib/api-types'
import { Card, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { Disclosure } from '@/components/ui/disclosure'
import { Fact, Facts } from '@/components/ui/facts'
import { CorrectRight } from './correct-right'
import { AccessRight, TakeRight } from './data-rights'
import { keptTexts } from './kept-messages'
import { privacyTexts } from './messages'
import { Requests } from './requests'
import { PageLink, Right } from './right'
import { ObjectRight, RestrictRight } from './stop-rights'
import { StoredKinds } from './stored-kinds'

/** How often the page checks whether a file that is being prepared is ready. */
const LOOK_MILLISECONDS = 3_000

interface PrivacyViewProps {
  readonly initial: Privacy
  readonly baseUrl: string
}

/** Lists the rights that people have over their data, each with its controls. */
export function PrivacyView({ initial, baseUrl }: PrivacyViewProps) {
  const { erase } = useText(privacyTexts)
  const { title } = useText(keptTexts)
  const trpc = useTRPC()
  const { data } = useQuery({
    ...trpc.privacy.read.queryOptions(),
    initialData: initial,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_MILLISECONDS : false),
  })
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <AccessRight mailedTo={data.mailed_to} />
        <TakeRight />
        <CorrectRight view={data} />
        <RestrictRight restricted={data.processing_restricted} />
        <ObjectRight objected={data.marketing_objected} />
        <Right id="erase" title={erase.title} body={erase.body}>
          <PageLink href="/settings/privacy/erase">{erase.link}</PageLink>
        </Right>
      </div>
      <Requests requests={data.requests} />
      <Disclosure summary={title}>
        <StoredKinds kinds={data.kinds} />
      </Disclosure>
      <PersonToAsk id={data.principal.id} baseUrl={baseUrl} />
    </>
  )
}

const isUnderWay = (view: Privacy | undefined): boolean =>
  view?.requests.some(({ result }) => result === 'queued') ?? false

/** Shows how to reach a human, which the law requires for reviewing a decision and for complaints. */
function PersonToAsk({ id, baseUrl }: { readonly id: string; readonly baseUrl: string }) {
  const text = useText(privacyTexts).person
  return (
    <Section id="person" title={text.title} description={text.body}>
      <Card>
        <Facts>
          <Fact name={text.id}>
            <span className="flex flex-wrap items-center gap-3">
              <code className="break-all font-mono text-sm">{id}</code>
              <CopyButton value={id} what={text.id} />
            </span>
          </Fact>
          <Fact name={text.address}>
            <code className="break-all font-mono text-sm">{baseUrl}</code>
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}
