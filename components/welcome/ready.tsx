'use client'

import { useText } from '@/components/i18n/locale-provider'
import type { SetupView } from '@/components/lib/api-types'
import { ButtonLink } from '@/components/ui/button'
import { Card, Section } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { PageHeader } from '@/components/ui/page-header'
import { SectionLink } from '@/components/ui/text-link'
import { welcomeTexts } from './messages'
import { setupTexts } from './setup-messages'
import { SetupSteps } from './setup-steps'
import { countDone } from './steps'

/** A shop of the sandbox, for a first purchase. */
export interface TrialShop {
  readonly name: string
  readonly address: string
}

interface ReadyProps {
  readonly steps: SetupView['steps']
  readonly shop: TrialShop | null
}

/** Shows what happens next after the last step, or what is still open. */
export function Ready({ steps, shop }: ReadyProps) {
  const text = useText(welcomeTexts).ready
  const setup = useText(setupTexts)
  const count = countDone(steps)
  const isReady = count === Object.keys(steps).length
  return (
    <>
      <PageHeader title={isReady ? text.title : setup.count(count)} />
      {isReady ? <Next /> : <SetupSteps done={steps} />}
      {shop !== null && steps.card && steps.agent ? <Trial shop={shop} /> : null}
      <ButtonLink href="/" variant={isReady ? 'primary' : 'secondary'} className="w-fit">
        {text.home}
      </ButtonLink>
    </>
  )
}

function Next() {
  const text = useText(welcomeTexts).ready
  return (
    <Section id="next" title={text.next} action={<SectionLink href="/approvals">{text.approvals}</SectionLink>}>
      <Card>
        <ol className="grid list-decimal gap-2 ps-5">
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
    </Section>
  )
}

function Trial({ shop }: { readonly shop: TrialShop }) {
  const text = useText(welcomeTexts).ready
  const prompt = text.prompt(shop.name, shop.address)
  return (
    <Section id="trial" title={text.try} action={<SectionLink href="/developers#sandbox">{text.shops}</SectionLink>}>
      <Card className="grid gap-3">
        <p className="text-muted">{text.say}</p>
        <p className="rounded-control bg-sunken p-4 wrap-anywhere">{prompt}</p>
        <CopyButton value={prompt} what={text.what} className="w-fit" />
      </Card>
    </Section>
  )
}
