export { deliverMessages } from './deliver-messages'
export { type NewMessage, queueMessage } from './queue-message'
