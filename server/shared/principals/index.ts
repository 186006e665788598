export { PORTAL_TENANT_ID } from './portal-tenant'
export {
  createPrincipal,
  findPrincipal,
  findPrincipalByEmail,
  keepProcessorCustomer,
  lockPrincipal,
  type NewPrincipal,
  type PrincipalRow,
  principalByEmailSql,
  requirePrincipal,
  saveApprovalRule,
  saveMagicLinkGate,
  savePasskeyRequirement,
  updateOnlyListedMerchants,
} from './store'
