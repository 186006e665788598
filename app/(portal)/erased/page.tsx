import type { Metadata } from 'next'
import { readText } from '@/components/i18n/read-text'
import { PublicShell } from '@/components/layout/public-shell'
import { keptTexts } from '@/components/privacy/kept-messages'
import { readSignInOptions } from '@/server/transport/trpc/public-pages'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readText(keptTexts)).erased.title }
}

/** The page that a person sees after their erasure. */
export default async function Erased() {
  const text = (await readText(keptTexts)).erased
  const { sandbox } = await readSignInOptions()
  return (
    <PublicShell sandbox={sandbox}>
      <h1 className="text-3xl font-semibold tracking-tight">{text.title}</h1>
      <p>{text.body}</p>
      <p className="text-muted">{text.stays}</p>
    </PublicShell>
  )
}
