export { PORTAL_TENANT_ID } from './portal-tenant'
export {
  createPrincipal,
  deleteNewPrincipal,
  findPrincipal,
  findPrincipalByEmail,
  keepProcessorCustomer,
  lockPrincipal,
  type NewPrincipal,
  type PrincipalRow,
  principalRevisionSql,
  requirePrincipal,
  saveApprovalRule,
  saveMagicLinkGate,
} from './store'
