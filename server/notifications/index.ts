export { deliverMessages } from './deliver-messages'
export { type NewMessage, queueMessage } from './queue-message'
export { readMessages } from './read-messages'
