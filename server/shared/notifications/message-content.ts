import type { Message, Sealer } from '../../base/core/platform'
import type { SealedColumn } from '../../base/platform/keys/reseal'
import type { Channel } from './contract'
import { listSealedMessages, replaceSealedMessage } from './store'

/** The text and the recipient of a message. */
export type MessageContent = Omit<Message, 'id' | 'channel'>

/** A message of any channel as stored. */
export interface StoredMessage extends MessageContent {
  readonly id: string
  readonly channel: Channel
}

const contextOf = (id: string) => `message:${id}`

export function sealContent(sealer: Sealer, id: string, content: MessageContent): string {
  return sealer.seal(Buffer.from(JSON.stringify(content)), contextOf(id))
}

export function openContent(sealer: Sealer, id: string, sealed: string): MessageContent {
  return JSON.parse(sealer.open(sealed, contextOf(id)).toString()) as MessageContent
}

/** The sealed column with the content of messages. */
export const sealedMessages: SealedColumn = {
  what: 'messages',
  contextOf,
  list: listSealedMessages,
  replace: replaceSealedMessage,
}
