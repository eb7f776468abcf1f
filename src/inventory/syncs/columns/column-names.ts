/**
 * The names that systems give to the columns we want, in English, German, French and Spanish, as plainName of lib/names/plain-name.ts has them. What is
 * made of them is in suggest-mapping.ts.
 */

/** Names for one column. */
export interface Names {
  /** Names that mean this column; what is likelier stands first. */
  readonly usual: readonly string[];
  /** Names that mean it and hold a key of one person, where others of them hold a name that several may have. */
  readonly unique?: readonly string[];
  /** The same, of a number that means somebody only in a file that has numbers of people. */
  readonly numbered?: readonly string[];
  /** Names that may mean it. */
  readonly possible: readonly string[];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

// Columns that say whether an account or a person is one in use are found by their sense; see find-standing.ts.
const email: Names = {
  usual:
    words(`mail emailaddress mailaddress workemail businessemail companyemail useremail workeremail owneremail primaryemail primaryemailaddress upn
    userprincipalname smtpaddress emailwork workemailaddress emailwork1 emailbusiness businessemailaddress companyemailaddress emailaddresswork emailprimary primaryworkemail
    primaryworkemailaddress emailcompany corporateemail corporateemailaddress officialemail officeemail internetaddress signinname assigneeemail memberemail principalemail principalmail collaboratoremail workcontactworkemail emailadresse mailadresse emailadressegeschaftlich emailgeschaftlich dienstemail courriel adressemail adresseemail
    adresseelectronique adressedemessagerie emailprofessionnel correo correoelectronico emailcorporativo
    emailid mailid workemailid officialemailid officialmailid officialmail corpemail employeeemail staffemail loginemail contactemail email1 emailaddress1 internetemail primarysmtpaddress
    emaildienstlich dienstlicheemail dienstlicheemailadresse geschaftlicheemail geschaftlicheemailadresse mitarbeiteremail courrielprofessionnel
    correocorporativo correoelectronicocorporativo`),
  possible: words('owner person login username user'),
};

const employeeId: Names = {
  usual:
    words(`employeenumber employeeno employee# employeecode empid empno associateid personnumber persno staffcode worker# employeenum personnelnumber staffid staffnumber staffno workerid workernumber personid pernr emplid personalnummer
    personalnr persnr personnelno mitarbeiternummer mitarbeiternr mitarbeiterid matricule nmatricule nomatricule numeromatricule numeroemploye idemploye idsalarie numeroempleado numerodeempleado idempleado
    codigoempleado`),
  possible: words(''),
};

/** The columns of a grants file. */
export const accountNames: Readonly<Record<string, Names>> = {
  account: {
    usual:
      words(`accountid accountname login loginname loginid logonname samaccountname userlogin accountlogin assigneeusername usersamaccountname konto kontoname
      benutzerkennung anmeldename kennung uname bname identifiant compte nomdecompte cuenta nombredecuenta
      grantee granteename signinname bindingsmembers memberlogin workdayaccount useraccount userusername assignedtouser collaboratorlogin usename oprid membersamaccountname memberuserprincipalname memberupn`),
    possible:
      words(`username userid user uid useruserid benutzername benutzer benutzerid nutzer nutzername identity member membername principal principalname principalid
      upn userprincipalname utilisateur nomdutilisateur usuario nombredeusuario idusuario nomutilisateur assignee assigneeid
      members memberprincipal principaluserprincipalname usr usrid username1 subject subjectname assignedto badgenumber badgeid`),
  },
  email,
  account_type: {
    usual: words(
      'usertype principaltype membertype granteetype assigneetype subjectkind subjecttype objectclass typedesc principaltypedesc grantedto kindofaccount kontotyp benutzertyp typedecompte tipodecuenta tipodeusuario',
    ),
    possible: words('type typ tipo'),
  },
  resource_type: {
    usual: words('typeofresource securabletype objecttype entitlementtype resourcekind'),
    possible: words('category kind type'),
  },
  resource: {
    usual:
      words(`resourcename resourceid object objectname tablename securable databasename database dbname dbrolescope scope target ressource recurso projectname repository repositoryname workspace folder folderpath sharename
      sitename siteurl spacename vault vaultname projekt projet proyecto securablefullname objectkey appdisplayname applicationdisplayname resourcedisplayname`),
    possible:
      words(`path grouporprojectname namespace application applicationname app appname system project team site group groupname groupdisplayname groupemail groupkey securitygroup securitygroupname groups teams projects repositories
      sites databases schema anwendung aplicacion gruppe tenant space spacekey schemaname tableschema subscription subscriptionname directoryscope directoryscopeid`),
  },
  entitlement: {
    usual:
      words(`entitlementname permission permissionname permissions role rolename roles approle accesslevel accessrole orgrole organizationrole userrole
      systemrole adminrole securityrole securityprofile privilege right permissionsetname permissionsetlabel permissionset agrname rolle rollenname rollen berechtigung
      rolname grantedrole roledefinitionname bindingsrole privilegetype dbrole databaserole serverrole
      roledisplayname approledisplayname permissionlevel accessright accessrights collaboratorpermission maxrole basicrole workspacerole memberrole accesstype berechtigungen berechtigungsrolle recht rolefullname droit droits habilitation autorisation permiso permisos rol roldeusuario privilegio`),
    possible:
      words(`profile profilename profil perfil group groupname groupdisplayname groupemail groupkey securitygroup securitygroupname groups membership memberof access gruppe gruppenname gruppen groupe groupes grupo grupos
      license licenses licence lizenz licencia plan zugriff acces acceso admintype policyname policy actiontype vpngroup vpnprofile accessgroup accessgroupname adgroup adgroupname ldapgroup desktopgroup deliverygroup distributiongroup distributiongroupname`),
  },
  granted_at: {
    usual:
      words(`granted grantedon accessgranted assignedat assignedon assigneddate assigned dateassigned grantdate assignmentdate dategranted addedon dateadded addedtoorg
      datejoined joinedat joinedon membersince zugewiesenam erteiltam vergebenam fromdat datedattribution attribuele asignadoel fechadeasignacion fechaasignacion`),
    possible:
      words(`since validfrom created createdat createdon createddate creationdate createddatetime usercreationtime startdate gultigab gultigvon erstelltam
      angelegtam datedecreation creele fechadecreacion fechacreacion joined startdatetime starttime startdatum activationdate effectivedate effectivefrom valabledu validode vigentedesde`),
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
    usual: words(
      'fullname completename vollstandigername name displayname username usersname anzeigename vollername nomcomplet nomaffiche nombrecompleto nombremostrado',
    ),
    possible: words(
      'cn commonname principaldisplayname gecos realname personname oprdefndesc cardholder cardholdername worker employee mitarbeiter nom nombre',
    ),
  },
  expires_at: {
    usual:
      words(`expires accessexpires expireson expiresat expiry expirydate expiration expirationdate accessexpiration validuntil validto todat gltgb gultigbis ablaufdatum befristetbis
      dateexpiration datedexpiration dateefin expirele caducidad fechadecaducidad validohasta fechadeexpiracion`),
    possible: words('enddate enddatum valableau validoa vigentehasta until datefin fechafin enddatetime endtime'),
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
      words(`managername supervisorname reportsto reportstoname reportingto linemanager linemanagername directmanager vorgesetzter vorgesetzte fuhrungskraft
      responsable responsablehierarchique superieurhierarchique jefe jefedirecto supervisordirecto responsabledirecto`),
    unique:
      words(`managermail manageremailaddress manageruserprincipalname supervisoremail supervisoremailaddress managerupn reportstoemail managerworkemail linemanageremail
      managerusername managerlogin vorgesetztenemail vorgesetzteremail emailvorgesetzter mailvorgesetzter emailresponsable emailmanager courrielresponsable correojefe emailjefe`),
    numbered:
      words(`managerid manageremployeeid managernumber manageremployeenumber manageremployeeno managerworkerid managerpersonid managerpersonnumber managerstaffid
      managereeid supervisorid supervisoreid supervisoremployeeid supervisornumber reportstoid reportstoassociateid managerempid linemanagerid linemanageremployeeid vorgesetztenummer vorgesetzternummer
      vorgesetzterpersonalnummer vorgesetzterpersonalnr personalnrvorgesetzter personalnummervorgesetzter personalnrdesvorgesetzten personalnummerdesvorgesetzten
      personalnrfuhrungskraft personalnummerfuhrungskraft mitarbeiternrvorgesetzter vorgesetzterid fuhrungskraftid fuhrungskraftpersonalnummer matriculeresponsable
      matriculemanager matriculesuperieur idresponsable idjefe numerojefe numeroempleadojefe codigojefe`),
    possible: words('manager supervisor n1 boss lead teamlead superieur gerente'),
  },
  department: {
    usual:
      words(`dept departmentname departmentdescription homedepartment homedepartmentdescription departement abteilung abteilungsname orgunit organizationalunit organisationseinheit costcentername service direction
      departamento area division`),
    possible: words('team organization unit bereich orgunitpath supervisoryorganization'),
  },
  job_title: {
    usual:
      words(`title job jobname jobtitledescription position jobposition positiontitle employeetitle businesstitle jobprofile stelle stellenbezeichnung positionsbezeichnung poste
      intituleduposte fonction puesto cargo puestodetrabajo`),
    possible: words('role function funktion beruf'),
  },
  employee_id: { ...employeeId, possible: words('id eeid') },
  employment_type: {
    usual:
      words(`employeetype workertype workercategory workercategorydescription contracttype typeofemployment beschaftigungsart anstellungsart vertragsart mitarbeitertyp typedecontrat
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
