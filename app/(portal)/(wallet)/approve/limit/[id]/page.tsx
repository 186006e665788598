import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { bumpTexts } from '@/components/approvals/bump-messages'
import { BumpView } from '@/components/approvals/bump-view'
import { readText } from '@/components/i18n/read-text'
import type { Search } from '@/components/lib/read-member'
import { Notice } from '@/components/ui/notice'
import { BackLink } from '@/components/ui/page-header'
import { AFTER_SIGN_IN } from '@/server/base/core/sign-in-input'
import { portal } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readText(bumpTexts)).title }
}

interface LimitProps {
  readonly params: Promise<{ readonly id: string }>
  readonly searchParams: Promise<Search>
}

export default async function Limit({ params, searchParams }: LimitProps) {
  const [{ id }, { from }] = await Promise.all([params, searchParams])
  const [api, text] = await Promise.all([portal(), readText(bumpTexts)])
  const bump = (await api.limits.bumps()).limit_bumps.find((waiting) => waiting.id === id)
  // A decided or expired limit request looks like one that never existed.
  if (bump === undefined) notFound()
  return (
    <>
      <div className="mx-auto -mb-3 w-full max-w-lg">
        <BackLink href="/approvals" label={text.back} />
      </div>
      <BumpView
        bump={bump}
        notice={from === AFTER_SIGN_IN ? <Notice tone="info" role="status" title={text.signedIn} /> : null}
      />
    </>
  )
}
