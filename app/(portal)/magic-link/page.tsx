import type { Metadata } from 'next'
import { consentTexts } from '@/components/approvals/messages'
import { Payee } from '@/components/approvals/payee'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { MagicLinkView } from '@/components/magic-link/magic-link-view'
import { magicLinkTexts } from '@/components/magic-link/messages'
import { readMagicLinkPage } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  const magicLinkText = await readText(magicLinkTexts)
  return { title: magicLinkText.title, robots: { index: false } }
}

interface MagicLinkProps {
  readonly searchParams: Promise<{ readonly token?: string | string[] }>
}

/** The page of a mailed magic link: it says what will happen, and asks. Opening it does not use the link up. */
export default async function MagicLink({ searchParams }: MagicLinkProps) {
  const { token: given } = await searchParams
  const token = typeof given === 'string' ? given : ''
  const [{ sandbox, link }, text] = await Promise.all([readMagicLinkPage(token), readText(consentTexts)])
  const payment = link?.payment ?? null
  const payee =
    payment === null ? null : (
      <Payee
        name={payment.merchant_name}
        audience={payment.merchant_audience}
        verified={payment.merchant_verified}
        resembles={payment.resembles}
        text={text}
      />
    )
  return (
    <PublicShell sandbox={sandbox}>
      <MagicLinkView token={token} link={link} payee={payee} />
    </PublicShell>
  )
}
