'use client'

import { Building2, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import type { SessionView } from '@/components/lib/api-types'
import { Badge } from '@/components/ui/badge'
import { Card, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { DownloadLink } from '@/components/ui/download-link'
import { Fact, Facts } from '@/components/ui/facts'
import { TextLink } from '@/components/ui/text-link'
import { privacyTexts } from './messages'

const PAGES = {
  payments: '/payments',
  activity: '/activity',
  agents: '/agents',
  limits: '/limits',
  merchants: '/merchants',
  cards: '/cards',
  notifications: '/settings/notifications',
  security: '/settings/security',
} as const

/** The rights that people have, and for each the way that there is: a page of ours, or the operator. */
export function PrivacyView({ me }: { readonly me: SessionView }) {
  const text = useText(privacyTexts)
  return (
    <>
      <div className="grid gap-4 md:grid-cols-2">
        <Right title={text.access.title} body={text.access.body} here>
          <Links names={Object.keys(PAGES).filter(isPage)} />
        </Right>
        <Right title={text.take.title} body={text.take.body} here>
          <div className="flex flex-wrap gap-3">
            <DownloadLink href="/payments.csv">{text.take.csv}</DownloadLink>
            <DownloadLink href="/activity.json">{text.take.json}</DownloadLink>
          </div>
        </Right>
        <Right title={text.correct.title} body={text.correct.body}>
          <Facts>
            <Fact name={text.correct.name}>
              <bdi>{me.principal.display_name ?? text.correct.none}</bdi>
            </Fact>
            <Fact name={text.correct.email}>
              <bdi>{me.principal.email ?? text.correct.none}</bdi>
            </Fact>
          </Facts>
        </Right>
        <Right title={text.restrict.title} body={text.restrict.body}>
          <PageLink href={PAGES.limits}>{text.restrict.limits}</PageLink>
          <PageLink href={PAGES.agents}>{text.restrict.agents}</PageLink>
        </Right>
        <Right title={text.object.title} body={text.object.body}>
          <PageLink href={PAGES.notifications}>{text.object.notifications}</PageLink>
        </Right>
        <Right title={text.erase.title} body={text.erase.body}>
          <PageLink href={PAGES.agents}>{text.erase.agents}</PageLink>
          <PageLink href={PAGES.cards}>{text.erase.cards}</PageLink>
        </Right>
      </div>
      <HowToWrite me={me} />
      <Kept />
    </>
  )
}

type PageName = keyof typeof PAGES
const isPage = (name: string): name is PageName => Object.hasOwn(PAGES, name)

interface RightProps {
  readonly title: string
  readonly body: string
  /** Everything of it can be done on these pages. */
  readonly here?: boolean
  readonly children: ReactNode
}

function Right({ title, body, here = false, children }: RightProps) {
  const text = useText(privacyTexts)
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <Badge icon={here ? CircleCheck : Building2} tone={here ? 'success' : 'neutral'}>
        {here ? text.here : text.operator}
      </Badge>
      <p>{body}</p>
      {children}
    </Card>
  )
}

function PageLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <TextLink href={href} className="inline-flex min-h-11 w-fit items-center">
      {children}
    </TextLink>
  )
}

function Links({ names }: { readonly names: readonly PageName[] }) {
  const { links } = useText(privacyTexts).access
  return (
    <ul className="flex flex-wrap gap-x-5">
      {names.map((name) => (
        <li key={name}>
          <PageLink href={PAGES[name]}>{links[name]}</PageLink>
        </li>
      ))}
    </ul>
  )
}

function HowToWrite({ me }: { readonly me: SessionView }) {
  const text = useText(privacyTexts).how
  return (
    <Section id="operator" title={text.title} description={text.body}>
      <Card>
        <Facts>
          <Fact name={text.id}>
            <span className="flex flex-wrap items-center gap-3">
              <code className="break-all font-mono text-sm">{me.principal.id}</code>
              <CopyButton value={me.principal.id} what={text.id} />
            </span>
          </Fact>
          <Fact name={text.address}>
            <code className="break-all font-mono text-sm">{me.base_url}</code>
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}

function Kept() {
  const text = useText(privacyTexts).kept
  return (
    <Section id="kept" title={text.title}>
      <Card>
        <dl className="grid gap-4">
          {Object.values(text.rows).map(({ what, why }) => (
            <div key={what} className="grid gap-0.5">
              <dt className="font-medium">{what}</dt>
              <dd className="max-w-prose text-muted">{why}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </Section>
  )
}
