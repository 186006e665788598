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
  principalByEmailSql,
  principalRevisionSql,
  requirePrincipal,
  saveApprovalRule,
  saveMagicLinkGate,
  savePasskeyRequirement,
  updateOnlyListedMerchants,
} from './store'
