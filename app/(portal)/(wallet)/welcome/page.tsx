import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readText } from '@/components/i18n/read-text'
import { welcomeTexts } from '@/components/welcome/messages'
import { setupTexts } from '@/components/welcome/setup-messages'
import type { StepData } from '@/components/welcome/step-content'
import { addressOf, firstOpen, numberOf, type Place, placeOf } from '@/components/welcome/steps'
import { WelcomePage } from '@/components/welcome/welcome-view'
import { AFTER_SIGN_IN } from '@/server/base/core/sign-in-input'
import { portal, readMe } from '@/server/transport/trpc/rsc'

interface WelcomeProps {
  readonly searchParams: Promise<{ readonly step?: string | string[]; readonly from?: string | string[] }>
}

export async function generateMetadata({ searchParams }: WelcomeProps): Promise<Metadata> {
  const [text, { title }] = await Promise.all([readText(welcomeTexts), readText(setupTexts)])
  const place = placeOf((await searchParams).step)
  const isStep = place !== null && place !== 'done'
  return { title: isStep ? text.step(numberOf(place), text.names[place]) : title }
}

export default async function Welcome({ searchParams }: WelcomeProps) {
  const { step, from } = await searchParams
  const api = await portal()
  const welcome = await api.welcome.read()
  // Signing in redirects here until a step is done, a payment was made, or the person has left the set-up.
  if (from === AFTER_SIGN_IN && (welcome.begun || welcome.left)) redirect('/')
  const place = placeOf(step)
  if (place === null) redirect(addressOf(firstOpen(welcome.steps)))
  return <WelcomePage initial={welcome} data={await readStep(place)} />
}

/** Reads the data that the step shows beside the progress. */
async function readStep(place: Place): Promise<StepData> {
  const api = await portal()
  switch (place) {
    case 'passkey':
      return { place, available: (await readMe()).passkeys.available }
    case 'card': {
      const [me, { way }, testCards] = await Promise.all([readMe(), api.cards.enrolment(), api.cards.testCards()])
      return { place, way: me.switches.card_enrolment ? way : null, testCards }
    }
    case 'limits':
    case 'agent':
      return { place, limits: (await api.limits.read()).limits }
    case 'done': {
      const [shop] = (await api.developers.read()).sandbox?.merchants ?? []
      return { place, shop: shop === undefined ? null : { name: shop.name, address: shop.audience } }
    }
  }
}
