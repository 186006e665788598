export { createLane, type Lane } from './lane'
export { route, unknownAddress } from './route'
