export { PORTAL_TENANT_ID } from './portal-tenant'
export {
  createPrincipal,
  findFrozenAt,
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
  updateFrozenAt,
  updateOnlyListedMerchants,
} from './store'
