export { seedPortalTenant } from './seed-portal-tenant'
export { seedSandbox } from './seed-sandbox'
