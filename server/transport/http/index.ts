export { createHttpServer, type HttpServer, type HttpServerOptions } from './http-server'
export { createLane, type Lane } from './lane'
export { route, unknownAddress } from './route'
