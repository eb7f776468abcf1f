/**
 * The names that systems give to the columns we want, in English, German, French and Spanish, as plainName of lib/plain-name.ts has them. What is
 * made of them is in suggest-mapping.ts.
 */

/** Names for one column. */
export interface Names {
  /** Names that mean this column; what is likelier stands first. */
  readonly usual: readonly string[];
  /** Names that may mean it. */
  readonly possible: readonly string[];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

// Columns that say whether an account or a person is one in use are found by their sense; see find-standing.ts.
const email: Names = {
  usual:
    words(`mail emailaddress mailaddress workemail businessemail companyemail useremail workeremail owneremail primaryemail primaryemailaddress upn
    userprincipalname smtpaddress assigneeemail memberemail emailadresse mailadresse emailadressegeschaftlich emailgeschaftlich dienstemail courriel adressemail adresseemail
    adresseelectronique adressedemessagerie emailprofessionnel correo correoelectronico emailcorporativo`),
  possible: words('owner person login username user'),
};

const employeeId: Names = {
  usual:
    words(`employeenumber employeeno employee# employeenum personnelnumber staffid staffnumber staffno workerid workernumber personid pernr personalnummer
    personalnr persnr personnelno mitarbeiternummer mitarbeiternr mitarbeiterid matricule numeroemploye idemploye idsalarie numeroempleado numerodeempleado idempleado
    codigoempleado`),
  possible: words(''),
};

/** The columns of a grants file. */
export const accountNames: Readonly<Record<string, Names>> = {
  account: {
    usual:
      words(`accountid accountname login loginname loginid logonname samaccountname userlogin accountlogin assigneeusername usersamaccountname konto kontoname
      benutzerkennung anmeldename kennung uname bname identifiant compte nomdecompte cuenta nombredecuenta`),
    possible:
      words(`username userid user uid useruserid benutzername benutzer benutzerid nutzer nutzername identity member membername principal principalname principalid
      upn userprincipalname utilisateur nomdutilisateur usuario nombredeusuario idusuario nomutilisateur assignee assigneeid`),
  },
  email,
  account_type: {
    usual: words('usertype kindofaccount kontotyp benutzertyp typedecompte tipodecuenta tipodeusuario'),
    possible: words('type typ tipo'),
  },
  resource_type: { usual: words('typeofresource objecttype entitlementtype resourcekind'), possible: words('category kind type') },
  resource: {
    usual:
      words(`resourcename resourceid object objectname target ressource recurso projectname repository repositoryname workspace folder folderpath sharename
      sitename projekt projet proyecto`),
    possible: words(
      'path grouporprojectname namespace application applicationname app appname system project team site group groupname database schema anwendung aplicacion gruppe tenant',
    ),
  },
  entitlement: {
    usual:
      words(`entitlementname permission permissionname permissions role rolename roles approle accesslevel accessrole orgrole organizationrole userrole
      systemrole adminrole securityrole securityprofile privilege right permissionsetname permissionsetlabel permissionset agrname rolle rollenname rollen berechtigung
      berechtigungen berechtigungsrolle recht rolefullname droit droits habilitation autorisation permiso permisos rol roldeusuario privilegio`),
    possible:
      words(`profile profilename profil perfil group groupname groups membership memberof access gruppe gruppenname gruppen groupe groupes grupo grupos
      license licenses licence lizenz licencia plan zugriff acces acceso`),
  },
  granted_at: {
    usual:
      words(`granted grantedon accessgranted assignedat assignedon assigneddate assigned dateassigned grantdate assignmentdate dategranted addedon dateadded addedtoorg
      datejoined joinedat joinedon membersince zugewiesenam erteiltam vergebenam fromdat datedattribution attribuele asignadoel fechadeasignacion fechaasignacion`),
    possible:
      words(`since validfrom created createdat createdon createddate creationdate createddatetime usercreationtime startdate gultigab gultigvon erstelltam
      angelegtam datedecreation creele fechadecreacion fechacreacion joined`),
  },
  last_used_at: {
    usual:
      words(`lastused lastlogin lastlogon lastlogindate lastlogontime lastlogondate lastlogintime lastlogindatetime lastlogintimestamp lastloginat lastsignin lastsignindate lastsigninat
      lastsignindatetime lastaccess lastaccessed lastaccessdate lastusedon lastuseddate lastloggedin lastsignedin lastsignedinat lastsuccessfullogin passwordlastused trdat letzteanmeldung
      letzterlogin letzterzugriff derniereconnexion dernieracces ultimoacceso ultimoiniciodesesion ultimaconexion`),
    possible: words(
      'lastactivity lastactivitydate lastactivityat lastseen lastactive lastactiveat lastsession letzteaktivitat derniereactivite ultimaactividad',
    ),
  },
  username: { usual: words('userlogin'), possible: words('samaccountname userid uid userprincipalname') },
  employee_id: employeeId,
  display_name: {
    usual: words('fullname name displayname username usersname anzeigename vollername nomcomplet nomaffiche nombrecompleto nombremostrado'),
    possible: words('cn commonname principaldisplayname worker employee mitarbeiter nom nombre'),
  },
  expires_at: {
    usual:
      words(`expires expireson expiresat expiry expirydate expiration expirationdate accessexpiration validuntil validto todat gltgb gultigbis ablaufdatum befristetbis
      dateexpiration datedexpiration dateefin expirele caducidad fechadecaducidad validohasta fechadeexpiracion`),
    possible: words('enddate until datefin fechafin'),
  },
  granted_via: { usual: words('grantedthrough inheritedfrom accesspath'), possible: words('') },
  parent_resource_type: { usual: words(''), possible: words('') },
  parent_resource: { usual: words('resourceparent'), possible: words('') },
};

/** The columns of a people file. */
export const personNames: Readonly<Record<string, Names>> = {
  email,
  display_name: {
    usual: words(
      'fullname name displayname preferredname anzeigename employeename personname workername vollername nomcomplet nombrecompleto',
    ),
    possible: words('cn commonname employee person worker mitarbeiter collaborateur salarie empleado nom nombre'),
  },
  manager_email: {
    usual:
      words(`managermail manageremailaddress manageruserprincipalname supervisoremail supervisoremailaddress managerupn managerid manageremployeeid managernumber manageremployeenumber
      supervisorid managername supervisorname reportsto reportingto reportstoid reportstoemail linemanager directmanager vorgesetzter vorgesetzte fuhrungskraft
      vorgesetztenummer vorgesetztenemail vorgesetzteremail responsable responsablehierarchique superieurhierarchique manageremployeeno jefe jefedirecto supervisordirecto
      responsabledirecto idjefe`),
    possible: words('manager supervisor boss lead teamlead superieur gerente'),
  },
  department: {
    usual:
      words(`dept departmentname departement abteilung abteilungsname orgunit organizationalunit organisationseinheit costcentername service direction
      departamento area division`),
    possible: words('team organization unit bereich orgunitpath supervisoryorganization'),
  },
  job_title: {
    usual:
      words(`title jobname position jobposition positiontitle employeetitle businesstitle jobprofile stelle stellenbezeichnung positionsbezeichnung poste
      intituleduposte fonction puesto cargo puestodetrabajo`),
    possible: words('role function funktion beruf'),
  },
  employee_id: { ...employeeId, possible: words('id eeid') },
  employment_type: {
    usual:
      words(`employeetype workertype contracttype typeofemployment beschaftigungsart anstellungsart vertragsart mitarbeitertyp typedecontrat
      tipodecontrato tipodeempleado employmenttype`),
    possible: words('type contract usertype'),
  },
  username: {
    usual:
      words(`login loginname samaccountname userlogin userid uid username benutzername benutzerkennung anmeldename identifiant nomdutilisateur
      nombredeusuario usuario`),
    possible: words('account accountname upn userprincipalname user'),
  },
};

/** Names of people in parts: the first name and the family name. */
export const nameParts = {
  first: words(
    'firstname givenname forename first vorname prenom nombre nombres namefirst legalfirstname preferredfirstname rufname userfirstname assigneefirstname',
  ),
  last: words(
    'lastname surname familyname last nachname familienname sn apellido apellidos namelast legallastname nomdefamille userlastname assigneelastname',
  ),
  /** A family name where a first name stands beside it. */
  lastBesideFirst: words('name nom'),
} as const;
