import { operation } from '../../base/contract/endpoint'
import { readStatusListEndpoint, readStatusListsEndpoint } from './contract'
import { readStatusList, readStatusLists } from './read-status-list'

export const statusList = operation(readStatusListEndpoint, readStatusList)
export const statusLists = operation(readStatusListsEndpoint, readStatusLists)

export { insertCredentialPlace, revokeCredentialPlaces } from './credential-places'
export { eraseMandateItems } from './erase-items'
export { keepStatusPlaces } from './keep-places'
export { findOwnStatus } from './own-status'
export { statusListUri } from './read-status-list'
export { discloseMandate, pairwiseReference, signMandate } from './sign-mandate'
export {
  buildListFullError,
  drawCredentialIndexes,
  drawStatusIndexes,
  MANDATE_PLACES,
  STATUS_LIST_SIZE,
} from './status-index'
export {
  countFreePlaces,
  findIssuedMandate,
  findMandate,
  freePlaceSql,
  type IssuedMandate,
  insertMandateSql,
  isListFullSql,
  keepItemsSql,
  type MandateRow,
  moveStatusList,
  type NewMandate,
  revokeMandatesOfFamilies,
} from './store'
export { readStoredMandates } from './stored-data'
export { verifyMandatePresentation, verifyOwnMandate } from './verify-mandate'
