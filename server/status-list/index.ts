import { operation } from '../contract/endpoint'
import { readStatusListEndpoint, readStatusListsEndpoint } from './contract'
import { readStatusList, readStatusLists } from './read-status-list'

export const statusList = operation(readStatusListEndpoint, readStatusList)
export const statusLists = operation(readStatusListsEndpoint, readStatusLists)

export { STATUS_LIST_SIZE, statusListUri } from './read-status-list'
