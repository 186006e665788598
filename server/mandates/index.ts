export { signMandate } from './sign-mandate'
export { drawStatusIndexes } from './status-index'
export { findMandate, type MandateRow, moveStatusList, revokeMandatesOfFamilies } from './store'
export { checkPresentation, verifyOwnMandate } from './verify-mandate'
