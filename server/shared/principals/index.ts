export { PORTAL_TENANT_ID } from './portal-tenant'
export {
  createPrincipal,
  deleteNewPrincipal,
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
  updateFrozenAt,
  updateOnlyListedMerchants,
} from './store'
