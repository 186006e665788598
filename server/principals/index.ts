export {
  createPrincipal,
  findPrincipal,
  findPrincipalByEmail,
  keepProcessorCustomer,
  type NewPrincipal,
  type PrincipalRow,
  saveApprovalRule,
} from './store'
