'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { useText } from '@/components/i18n/locale-provider'
import type { TextOf } from '@/components/i18n/texts'
import type { AgentView } from '@/components/lib/api-types'
import { plainName } from '@/components/lib/plain-text'
import { StepUpFailure } from '@/components/security/step-up-failure'
import { useConfirmedDialog } from '@/components/security/use-confirmed-dialog'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { cardName } from '@/server/base/core/card-name'
import { agentsTexts } from './messages'

type CardText = TextOf<typeof agentsTexts>['card']

/** The option's value for the default card. */
const DEFAULT = ''
/** The option's value while the agent's own card was removed. */
const NONE = 'none'

/**
 * Shows the card that the agent pays with: the default card, one of its own, or none once its own was removed. A change
 * is confirmed first.
 */
export function PaysWith({ agent }: { readonly agent: AgentView }) {
  const text = useText(agentsTexts).card
  const trpc = useTRPC()
  const { client_id: clientId, label, cards } = agent
  const [wanted, setWanted] = useState<string | null>(null)
  const { mutateAsync: choose } = useMutation(trpc.agents.chooseCard.mutationOptions())
  const subject = { client_id: clientId, card_id: wanted }
  const { ask, dialog, failure } = useConfirmedDialog({
    action: { purpose: 'card.choose', subject },
    send: (proof) => choose({ ...subject, proof }),
  })
  const shared = text.default(cards.default_card === null ? null : cardName(cards.default_card))
  const card = cards.choices.find(({ id }) => id === wanted)
  return (
    <Card className="max-sm:p-3">
      <Field label={text.title} hint={hintOf(cards, text)} className="sm:max-w-sm">
        <Select
          value={cards.own_id ?? (cards.own_removed ? NONE : DEFAULT)}
          onChange={(event) => {
            setWanted(event.target.value === DEFAULT ? null : event.target.value)
            ask()
          }}
        >
          {cards.own_removed ? (
            <option value={NONE} disabled>
              {text.none}
            </option>
          ) : null}
          <option value={DEFAULT}>{shared}</option>
          {cards.choices.map((choice) => (
            <option key={choice.id} value={choice.id}>
              {cardName(choice)}
            </option>
          ))}
        </Select>
      </Field>
      <ConfirmDialog
        {...dialog}
        title={text.question(plainName(label), card === undefined ? shared : cardName(card))}
        confirmLabel={text.confirm}
      >
        <p className="empty:hidden">{card === undefined ? sharedEffectOf(cards, text) : text.own}</p>
        <StepUpFailure failure={failure} onRetry={dialog.onConfirm} />
      </ConfirmDialog>
    </Card>
  )
}

function hintOf(cards: AgentView['cards'], text: CardText): string {
  if (cards.own_removed) return text.ownRemoved
  if (cards.own_id === null && cards.default_card === null) return text.noDefault
  return cards.choices.length === 0 ? text.noOther : text.hint
}

/** Returns what follows when the agent pays with the default card. */
function sharedEffectOf(cards: AgentView['cards'], text: CardText): string | null {
  if (cards.default_card === null) return text.noDefault
  return cards.own_removed ? null : text.sharedAgain
}
