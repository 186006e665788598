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
  principalRevisionSql,
  requirePrincipal,
  saveApprovalRule,
  saveMagicLinkGate,
  savePasskeyRequirement,
  updateEmail,
  updateFrozenAt,
  updateOnlyListedMerchants,
} from './store'
