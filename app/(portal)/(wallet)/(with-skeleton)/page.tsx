import type { Metadata } from 'next'
import { HomePage } from '@/components/home/home-view'
import { homeTexts } from '@/components/home/messages'
import { readText } from '@/components/i18n/read-text'
import { SwitchedOff } from '@/components/layout/switched-off'
import { plainName } from '@/components/lib/plain-text'
import { PageHeader } from '@/components/ui/page-header'
import { portal, readMe } from '@/server/transport/trpc/rsc'

export async function generateMetadata(): Promise<Metadata> {
  const homeText = await readText(homeTexts)
  return { title: homeText.title, description: homeText.description }
}

export default async function Home() {
  const homeText = await readText(homeTexts)
  const api = await portal()
  const [me, overview] = await Promise.all([readMe(), api.home.overview()])
  const { display_name: name } = me.principal
  return (
    <>
      <PageHeader title={name === null ? homeText.title : homeText.greeting(plainName(name))} />
      {me.switches.consent_scan ? null : <SwitchedOff name="consent_scan" />}
      {me.switches.settlement ? null : <SwitchedOff name="settlement" />}
      <HomePage initial={overview} me={me} />
    </>
  )
}
