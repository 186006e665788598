'use client'

import { type ReactNode, useState } from 'react'
import { useText } from '@/components/i18n/locale-provider'
import { useFormat } from '@/components/i18n/use-format'
import type { MagicLinkView as MagicLink } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { Fact, Facts, Words } from '@/components/mailed-link/link-words'
import { Button, ButtonLink } from '@/components/ui/button'
import { magicLinkTexts } from './messages'

interface MagicLinkViewProps {
  readonly token: string
  readonly link: MagicLink
  /** The payee of a purchase, which the server renders: the browser need not load a script for it. */
  readonly payee: ReactNode
}

export function MagicLinkView({ token, link, payee }: MagicLinkViewProps) {
  const text = useText(magicLinkTexts)
  if (link === null) {
    return (
      <>
        <Words title={text.gone.title} body={text.gone.body} />
        <ButtonLink href="/approvals" variant="secondary">
          {text.gone.approvals}
        </ButtonLink>
      </>
    )
  }
  if (link.used) {
    return (
      <>
        <Words title={text.used.title} body={text.used.body} />
        <ButtonLink href="/agents" variant="secondary">
          {text.used.agents}
        </ButtonLink>
      </>
    )
  }
  return <Question token={token} link={link} payee={payee} />
}

/** Asks for confirmation. The page contains no address that confirms, since scanners and prefetchers follow links. */
function Question({ token, link, payee }: MagicLinkViewProps & { readonly link: NonNullable<MagicLink> }) {
  const { agent, email, payment } = link
  const format = useFormat()
  const text = useText(magicLinkTexts)
  const [leaving, setLeaving] = useState(false)
  const confirm = () => {
    setLeaving(true)
    window.location.assign(`/oauth/magic-link/confirm?${new URLSearchParams({ token }).toString()}`)
  }
  const title =
    payment === null ? text.wallet.title : text.payment.title(format.money(payment.amount_minor, payment.currency))
  return (
    <>
      <Words title={title} body={text.body} />
      {payee}
      <Facts>
        <Fact name={text.payment.by}>{plainName(agent)}</Fact>
        {email === null ? null : <Fact name={text.whose}>{email}</Fact>}
      </Facts>
      <Button size="lg" busy={leaving} onClick={confirm}>
        {text.submit}
      </Button>
      <p className="text-sm text-muted">{text.leave}</p>
    </>
  )
}
