import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { identifier, pathId, timestamp } from '../../base/contract/wire'
import { confirmable } from '../../identity/passkeys/contract'
import { SETUP_INTENT_ID_MAX } from './input'

export const savedCard = z
  .object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    exp_month: z.int(),
    exp_year: z.int(),
    is_default: z.boolean(),
    status: z.enum(['active', 'expired']),
    created_at: timestamp,
    agent_client_id: z.string().nullable().meta({
      description: 'The one agent that pays with it, and with no other card; null for a card of all the others.',
    }),
  })
  .meta({ id: 'SavedCard' })

const savedCardList = z.object({ cards: z.array(savedCard) }).meta({ id: 'SavedCardList' })

export const listCardsEndpoint = defineEndpoint({
  operationId: 'listCards',
  method: 'GET',
  path: '/wallet/cards',
  summary: 'List the cards that agents may charge, the default one first',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: savedCardList,
  refusal: 'validation',
})

export const createSetupIntentEndpoint = defineEndpoint({
  operationId: 'createSetupIntent',
  method: 'POST',
  path: '/wallet/setup-intent',
  summary: 'Begin the enrolment of a card',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  output: z
    .object({
      setup_intent_id: z.string(),
      client_secret: z.string(),
      status: z.string(),
      publishable_key: z.string().nullable(),
    })
    .meta({ id: 'SetupIntent' }),
  switch: 'card_enrolment',
  refusal: 'validation',
  refusals: ['bad_gateway', 'forbidden', 'insufficient_user_authentication'],
})

export const confirmSetupIntentEndpoint = defineEndpoint({
  operationId: 'confirmSetupIntent',
  method: 'POST',
  path: '/wallet/setup-intent/confirm',
  summary: 'Check an enrolment, and save the card when it has succeeded',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: {
    kind: 'json',
    schema: z.object({ setup_intent_id: identifier(SETUP_INTENT_ID_MAX) }).meta({ id: 'SetupIntentConfirmRequest' }),
  },
  output: z
    .object({
      status: z.string(),
      reconciled: z.boolean().meta({ description: 'True only when this call saved the card.' }),
      setup_intent_id: z.string(),
    })
    .meta({ id: 'SetupIntentConfirmation' }),
  switch: 'card_enrolment',
  refusal: 'validation',
  refusals: ['not_found', 'bad_gateway', 'insufficient_user_authentication'],
})

const cardParams = z.object({ card_id: pathId })

export const makeDefaultCardEndpoint = defineEndpoint({
  operationId: 'makeDefaultCard',
  method: 'POST',
  path: '/wallet/cards/{card_id}/default',
  summary: 'Make a card the default, which agents without a card of their own charge',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: cardParams,
  output: savedCardList,
  refusal: 'validation',
  refusals: ['not_found', 'conflict', 'insufficient_user_authentication'],
})

export const chooseCardProcedure = definePortalProcedure({
  input: cardParams.extend(confirmable),
  stepUp: 'card.choose',
})

/** The card that one agent pays with; null for the default. */
export const chooseAgentCardProcedure = definePortalProcedure({
  input: z.strictObject({ client_id: pathId, card_id: pathId.nullable(), ...confirmable }),
  stepUp: 'card.choose',
})

export const removeCardEndpoint = defineEndpoint({
  operationId: 'removeCard',
  method: 'DELETE',
  path: '/wallet/cards/{card_id}',
  summary: 'Remove a card; no payment begins with it any longer, and no other card takes its place',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: cardParams,
  output: savedCardList,
  refusal: 'validation',
  refusals: ['not_found'],
})
