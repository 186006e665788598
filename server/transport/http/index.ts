export { brokenRequestResponse } from './broken-request'
export { createLane, type Lane } from './lane'
export { route, unknownAddress } from './route'
