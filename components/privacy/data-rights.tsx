'use client'

import { useMutation } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmed } from '@/components/security/use-confirmed'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { DownloadLink } from '@/components/ui/download-link'
import { privacyTexts } from './messages'
import { Done, PageLink, Right } from './right'
import { saveFile } from './save-file'

const PAGES = {
  payments: '/payments',
  activity: '/activity',
  agents: '/agents',
  limits: '/limits',
  merchants: '/merchants',
  cards: '/cards',
  notifications: '/settings/notifications',
  security: '/settings/security',
  credentials: '/settings/credentials',
} as const

/** Requests a mail with all data that is stored about the person. */
export function AccessRight({ mailedTo }: { readonly mailedTo: string | null }) {
  const { access: text, confirm } = useText(privacyTexts)
  const trpc = useTRPC()
  const { mutateAsync: ask } = useMutation(trpc.privacy.access.mutationOptions())
  const { run, busy, isDone, failure } = useConfirmed({
    action: { purpose: 'privacy.data', subject: { right: 'access' } },
    send: (proof) => ask({ proof }),
  })
  return (
    <Right id="access" title={text.title} body={text.body}>
      <p className="wrap-anywhere">{mailedTo === null ? text.none : `${text.to(mailedTo)} ${confirm}`}</p>
      <StepUpFailure failure={failure} onRetry={run} />
      {mailedTo === null ? null : (
        <Button variant="secondary" className="w-fit" busy={busy} onClick={run}>
          {text.button}
        </Button>
      )}
      <Done>{isDone && mailedTo !== null ? text.done(mailedTo) : null}</Done>
      <Disclosure summary={text.pages} look="inline">
        <ul className="flex flex-wrap gap-x-5">
          {Object.entries(PAGES).map(([name, href]) => (
            <li key={name}>
              <PageLink href={href}>{text.links[name as keyof typeof PAGES]}</PageLink>
            </li>
          ))}
        </ul>
      </Disclosure>
    </Right>
  )
}

/** Downloads the person's data as a file. */
export function TakeRight() {
  const { take: text, confirm } = useText(privacyTexts)
  const trpc = useTRPC()
  const { mutateAsync: take } = useMutation(trpc.privacy.take.mutationOptions())
  const { run, busy, isDone, failure } = useConfirmed({
    action: { purpose: 'privacy.data', subject: { right: 'portability' } },
    send: (proof) => take({ proof }),
    onSuccess: saveFile,
  })
  return (
    <Right id="take" title={text.title} body={text.body}>
      <p>{confirm}</p>
      <StepUpFailure failure={failure} onRetry={run} />
      <Button variant="secondary" className="w-fit" busy={busy} onClick={run}>
        {text.button}
      </Button>
      <Done>{isDone ? text.done : null}</Done>
      <Disclosure summary={text.more} look="inline">
        <div className="flex flex-wrap gap-3">
          <DownloadLink href="/payments.csv">{text.csv}</DownloadLink>
          <DownloadLink href="/activity.json">{text.json}</DownloadLink>
        </div>
      </Disclosure>
    </Right>
  )
}
