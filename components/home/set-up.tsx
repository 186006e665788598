'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { SetupView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { Section } from '@/components/ui/card'
import { SectionLink } from '@/components/ui/text-link'
import { setupTexts } from '@/components/welcome/setup-messages'
import { SetupSteps } from '@/components/welcome/setup-steps'
import { addressOf, countDone, firstOpen } from '@/components/welcome/steps'

type Steps = Pick<SetupView, 'steps'>

/** Shows the set-up steps in place of the home page while nothing is set up. */
export function SetUp({ steps }: Steps) {
  const text = useText(setupTexts)
  return (
    <Section id="setup" title={text.title}>
      <SetupSteps done={steps} />
      <ButtonLink href={addressOf(firstOpen(steps))} className="w-fit">
        {text.continue}
      </ButtonLink>
    </Section>
  )
}

/** Shows the progress of the set-up and a link to the next step; nothing once all is done. */
export function SetUpLeft({ steps }: Steps) {
  const text = useText(setupTexts)
  const next = firstOpen(steps)
  if (next === 'done') return null
  return (
    <section
      aria-labelledby="setup"
      className="flex flex-wrap items-center justify-between gap-x-4 rounded-card border border-line bg-surface px-5 pt-3 pb-1 shadow-card sm:pt-1"
    >
      <h2 id="setup" className="font-semibold tabular-nums">
        {text.count(countDone(steps))}
      </h2>
      <SectionLink href={addressOf(next)}>{text.continue}</SectionLink>
    </section>
  )
}
