import { operation } from '../../base/contract/endpoint'
import { readStatusListEndpoint, readStatusListsEndpoint } from './contract'
import { readStatusList, readStatusLists } from './read-status-list'

export const statusList = operation(readStatusListEndpoint, readStatusList)
export const statusLists = operation(readStatusListsEndpoint, readStatusLists)

export { STATUS_LIST_SIZE } from './read-status-list'
export { signMandate } from './sign-mandate'
export { drawStatusIndexes } from './status-index'
export {
  findMandate,
  insertMandateSql,
  type MandateRow,
  moveStatusList,
  type NewMandate,
  revokeMandatesOfFamilies,
} from './store'
export { checkPresentation, verifyOwnMandate } from './verify-mandate'
