'use client'

import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { eventIcons } from '@/components/activity/event-icons'
import { activityEntryLink } from '@/components/activity/filter'
import { activityTexts } from '@/components/activity/messages'
import { activityTitle, titleSaysMeans } from '@/components/activity/title'
import { useText } from '@/components/i18n/locale-provider'
import type { SecurityChange } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { Button, ButtonLink } from '@/components/ui/button'
import { ForeignText } from '@/components/ui/foreign-text'
import { Moment } from '@/components/ui/moment'
import { LineLink } from '@/components/ui/text-link'
import { securityActivityTexts } from './activity-messages'
import { HappenedRow } from './happened-row'
import { securityTexts } from './messages'
import { RemovePasskey } from './remove-passkey'
import { RevokeShortcut } from './revoke-shortcut'

/** Shows one security change in the words of the activity page, with what can be done about it. */
export function ChangeRow({ change }: { readonly change: SecurityChange }) {
  const words = useText(activityTexts)
  const { detail, means } = change
  const isSaid = detail === null || detail === means
  return (
    <HappenedRow
      icon={eventIcons[change.event] ?? ScrollText}
      title={activityTitle(words, change)}
      detail={isSaid ? null : (words.details[detail] ?? detail)}
      origin={<Origin change={change} />}
      action={change.shortcut === null ? null : <Shortcut shortcut={change.shortcut} />}
    />
  )
}

function Origin({ change }: { readonly change: SecurityChange }) {
  const text = useText(securityActivityTexts)
  const { actors } = useText(activityTexts)
  const { means, agent, by, where } = change
  const how = means === null || titleSaysMeans(change) ? null : text.means[means]
  const person = means === 'token' ? null : actors[change.actor_kind]
  const who = by === null ? person : text.by(plainName(by.label))
  return (
    <>
      <Moment at={change.ts} style="long" />
      {agent === null ? null : (
        <>
          {' · '}
          <ForeignText text={agent.label} />
        </>
      )}
      {[...new Set([how, who])].filter((part) => part != null).map((part) => ` · ${part}`)}
      {where === null ? null : <Place where={where} />}
      {' · '}
      <LineLink href={activityEntryLink(change.seq)}>
        {text.whole} {change.seq}
      </LineLink>
    </>
  )
}

/** Shows on which device it was done, and whether in this session. */
function Place({ where: { device, this_one: thisOne } }: { readonly where: NonNullable<SecurityChange['where']> }) {
  const { sessions } = useText(securityTexts)
  const { here } = useText(securityActivityTexts)
  const name = device === null ? sessions.unknown : sessions.device(device.browser, device.system)
  return ` · ${thisOne ? here(name) : name}`
}

type AnyShortcut = NonNullable<SecurityChange['shortcut']>
type ShortcutOf<K extends AnyShortcut['kind']> = Extract<AnyShortcut, { readonly kind: K }>

function Shortcut({ shortcut }: { readonly shortcut: AnyShortcut }) {
  if (shortcut.kind === 'open') return <OpenShortcut shortcut={shortcut} />
  return shortcut.kind === 'revoke_agent' ? (
    <RevokeShortcut clientId={shortcut.client_id} label={shortcut.label} />
  ) : (
    <RemoveShortcut shortcut={shortcut} />
  )
}

const paths = {
  limits: '/limits',
  merchants: '/merchants',
  cards: '/cards',
  notifications: '/settings/notifications',
  privacy: '/settings/privacy',
} as const

/** Links to the page where the change can be undone. */
function OpenShortcut({ shortcut }: { readonly shortcut: ShortcutOf<'open'> }) {
  const text = useText(securityActivityTexts).open
  const { page } = shortcut
  const path = page === 'agent' ? `/agents/${encodeURIComponent(shortcut.client_id)}` : paths[page]
  return (
    <ButtonLink href={path} variant="secondary" size="sm">
      {text[page]}
    </ButtonLink>
  )
}

interface RemoveShortcutProps {
  readonly shortcut: ShortcutOf<'remove_passkey'>
}

function RemoveShortcut({ shortcut: { passkey, last } }: RemoveShortcutProps) {
  const text = useText(securityActivityTexts).remove
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quietDanger" size="sm" aria-label={text.of(passkey.name)} onClick={() => setOpen(true)}>
        {text.button}
      </Button>
      <RemovePasskey passkey={passkey} last={last} open={open} onOpenChange={setOpen} />
    </>
  )
}
