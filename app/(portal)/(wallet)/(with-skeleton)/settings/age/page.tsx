import type { Metadata } from 'next'
import { AgeView } from '@/components/age/age-view'
import { ageTexts } from '@/components/age/messages'
import { readText } from '@/components/i18n/read-text'
import { portal, readMe } from '@/server/transport/trpc/rsc'
import { AGE_MAX, USUAL_AGE } from '@/server/wallet/age-proofs/input'

export async function generateMetadata(): Promise<Metadata> {
  const { title, description } = await readText(ageTexts)
  return { title, description }
}

interface AgeProps {
  readonly searchParams: Promise<{ readonly age?: string | string[] }>
}

export default async function Age({ searchParams }: AgeProps) {
  const asked = readAge((await searchParams).age)
  const api = await portal()
  const [me, initial] = await Promise.all([readMe(), api.age.read()])
  return (
    <AgeView initial={initial} age={asked ?? USUAL_AGE} isAsked={asked !== null} isSandbox={me.sandbox === 'local'} />
  )
}

/** Returns the age that a purchase requires; null when no purchase led here. */
function readAge(text: string | string[] | undefined): number | null {
  const age = typeof text === 'string' && /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : null
  return age !== null && age <= AGE_MAX ? age : null
}
