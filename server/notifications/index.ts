export { deliverMessages } from './deliver-messages'
export { queueMessage } from './queue-message'
export { readMessages } from './read-messages'
