import { operation } from '../../base/contract/endpoint'
import { readStatusListEndpoint, readStatusListsEndpoint } from './contract'
import { readStatusList, readStatusLists } from './read-status-list'

export const statusList = operation(readStatusListEndpoint, readStatusList)
export const statusLists = operation(readStatusListsEndpoint, readStatusLists)

export { keepStatusPlaces } from './keep-places'
export { signMandate } from './sign-mandate'
export { buildListFullError, drawStatusIndexes, STATUS_LIST_SIZE } from './status-index'
export {
  findMandate,
  freePlaceSql,
  insertMandateSql,
  isListFullSql,
  keepItemsSql,
  type MandateRow,
  moveStatusList,
  type NewMandate,
  revokeMandatesOfFamilies,
} from './store'
export { checkPresentation, verifyOwnMandate } from './verify-mandate'
